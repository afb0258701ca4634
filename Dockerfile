# Image of the service. It runs the folder that scripts/package.mjs builds. The tests run the same folder without Docker
# but under the same conditions: the same user and settings, and write access only to its data.
#
# The digest names the content, which a tag doesn't: .github/dependabot.yml proposes each newer one, with its security updates.
# Of a tag: docker buildx imagetools inspect --format '{{.Manifest.Digest}}' docker.io/library/node:24.21.0-bookworm-slim

FROM docker.io/library/node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
WORKDIR /build
# Manifests alone first: while they are the same, the layer with all dependencies is taken from the cache.
COPY pnpm-lock.yaml pnpm-workspace.yaml ./
RUN npx -y pnpm@12.21.0 fetch
COPY . .
# Date and hash of the commit, because the repository isn't copied; see scripts/build-name.mjs.
ARG BUILD=""
RUN npx -y pnpm@12.21.0 install --frozen-lockfile --prefer-offline && \
    npx -y pnpm@12.21.0 run package /gpu-offers

FROM docker.io/library/node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
ARG BUILD=""
LABEL org.opencontainers.image.title="gpu-offers" \
      org.opencontainers.image.revision="$BUILD" \
      org.opencontainers.image.description="A service for rentable GPU offers from many clouds." \
      org.opencontainers.image.licenses="MIT"
RUN install -d -o 10001 -g 10001 -m 0750 /data
COPY --from=build /gpu-offers /app
# gpu-offers-admin is found by its name.
ENV PATH=/app/bin:$PATH \
    NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATABASE_URL=sqlite:/data/gpu-offers.sqlite \
    LOG_FORMAT=json
WORKDIR /app
USER 10001:10001
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "/app/dist/main.js"]
