# The service from the file that `npm pack` makes, without the bundled PostgreSQL: DATABASE_URL says where one is.
#   npm pack && docker build --tag workspace-records .
FROM node:24.21.0-bookworm-slim

ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIRECTORY=/data
WORKDIR /service
COPY workspace-records-*.tgz package.tgz
RUN npm init --yes >/dev/null \
  && npm install --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund ./package.tgz \
  && npm cache clean --force \
  && rm package.tgz
# `docker exec … workspace-records keys create …`
ENV PATH="/service/node_modules/.bin:$PATH"

# The key of stored secrets, unless SECRETS_KEY is set.
RUN mkdir --mode=700 /data && chown node:node /data
VOLUME /data

USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/service/node_modules/workspace-records/dist/cli/index.js"]
CMD ["start"]
