import { answerRequests } from '../process/worker-thread.ts';
import { drawCard } from './draw-card.ts';

answerRequests(drawCard, (png) => [png.buffer]);
