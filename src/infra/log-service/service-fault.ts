/** The service did not answer, or not as a Tipoff service does: nothing was proven either way. */
export class ServiceFault extends Error {
  override readonly name = 'ServiceFault';
}
