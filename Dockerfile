# The tag is for readers; the digest decides.
FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
COPY bots ./bots
COPY jobs ./jobs
COPY scripts/copy-assets.ts ./scripts/
COPY docs/glossary.md docs/method.md docs/reading-alerts.md ./docs/
# resvg's binary is an optional package of its own for each platform; the others are needed to build only.
RUN npm run build && cp -a node_modules/@resvg resvg && npm prune --omit=dev --omit=optional \
  && rm -rf node_modules/@resvg && mv resvg node_modules/@resvg

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATABASE_URL=sqlite:/app/data/tipoff.db
ENV NODE_OPTIONS="--max-old-space-size=768 --max-semi-space-size=16"
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY bin ./bin
COPY data/tapes ./tapes
RUN ln -s /app/bin/tipoff.js /usr/local/bin/tipoff && mkdir data && chown node:node data
USER node
VOLUME /app/data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["tipoff", "start"]
