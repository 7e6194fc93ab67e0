// Builds the application to dist/app next to the service, which serves it (src/http/documents/application.ts): assets with
// their hash in the name, in the codings that browsers take, and a page in which the service puts a nonce.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const here = import.meta.dirname;
/** The text that the service replaces. */
const NONCE = '__NONCE__';
/** Smaller ones are a packet either way. */
const WORTHWHILE_BYTES = 1000;
const SMALL_CHUNK_BYTES = 30_000;
const SERVICE_TEXTS = /messages[\\/]([\w-]+)[\\/]service\.json$/;

export default defineConfig({
  root: here,
  base: '/app/',
  publicDir: false,
  plugins: [react(), firstTheme(), firstFont(), compressed()],
  html: { cspNonce: NONCE },
  // `npm run dev:app`: the sources, with the service behind all other paths. It sees the host and origin of the browser.
  server: {
    port: 5173,
    strictPort: true,
    proxy: { '^/(?!app(?:[/?]|$))': process.env.SERVICE ?? 'http://127.0.0.1:3000' },
  },
  resolve: {
    alias: { '@workspace-records/client': join(here, '..', 'client', 'src', 'index.ts') },
  },
  build: {
    outDir: join(here, '..', '..', 'dist', 'app'),
    emptyOutDir: true,
    target: ['chrome120', 'firefox121', 'safari17.4'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      checks: { pluginTimings: false },
      output: {
        // Small shared chunks are merged into others, and may import each other in a circle then: without this, a module
        // could run before one that it needs, and would read undefined.
        strictExecutionOrder: true,
        // Shared ones would get the names of all their users.
        chunkFileNames: ({ name }) => `assets/${name.replace(/~.*/, '')}-[hash].js`,
        // Libraries change seldom: their chunks stay in the caches of browsers over releases. The code of every page
        // is one chunk; shared code is in few, because a request for each small module costs more than a few modules
        // too many.
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules[\\/](?:react|react-dom|scheduler)[\\/]/ },
            {
              name: 'router',
              test: /node_modules[\\/]@tanstack[\\/](?:react-router|router-core|history|store|react-store)[\\/]/,
            },
            {
              name: 'query',
              test: /node_modules[\\/]@tanstack[\\/](?:react-query|query-core)[\\/]/,
            },
            // Two dialogs of the data model need it, and no other page may load it.
            { name: 'yaml', test: /node_modules[\\/]yaml[\\/]/ },
            // The texts of a language are two parts: those of the application, and those of the service.
            { name: nameOfServiceTexts, test: SERVICE_TEXTS },
            { name: 'first', tags: ['$initial'] },
            {
              name: 'shared',
              minShareCount: 2,
              entriesAware: true,
              entriesAwareMergeThreshold: SMALL_CHUNK_BYTES,
            },
          ],
        },
      },
    },
  },
});

function nameOfServiceTexts(module: string): string {
  return `service-${SERVICE_TEXTS.exec(module)?.[1]}`;
}

/** A script before the first paint: no other way keeps a dark page from being light for a moment. */
function firstTheme(): Plugin {
  const source = readFileSync(join(here, 'src', 'app', 'first-theme.js'), 'utf8');
  const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8);
  const fileName = `assets/first-theme-${hash}.js`;
  return {
    name: 'first-theme',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source });
    },
    transformIndexHtml: {
      order: 'post',
      handler: () => [
        {
          tag: 'script',
          attrs: { src: `/app/${fileName}`, nonce: NONCE },
          injectTo: 'head-prepend',
        },
      ],
    },
  };
}

/** Preloads the font of most letters: without it browsers find it after the styles, and draw the first text twice. */
function firstFont(): Plugin {
  const licence = join(
    here,
    '..',
    '..',
    'node_modules',
    '@fontsource-variable',
    'inter',
    'LICENSE',
  );
  return {
    name: 'first-font',
    apply: 'build',
    generateBundle() {
      const source = readFileSync(licence, 'utf8');
      this.emitFile({ type: 'asset', fileName: 'inter-licence.txt', source });
    },
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle = {} }) {
        const file = Object.keys(bundle).find((name) =>
          /\/inter-latin-wght-[^/]*\.woff2$/.test(name),
        );
        if (file === undefined) throw new Error('The build has no font to preload.');
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true };
        return [
          { tag: 'link', attrs: { ...attrs, href: `/app/${file}` }, injectTo: 'head-prepend' },
        ];
      },
    },
  };
}

/** `.br` and `.gz` of each asset, so that the service need not compress. */
function compressed(): Plugin {
  const [inBrotli, inGzip] = [promisify(brotliCompress), promisify(gzip)];
  return {
    name: 'compressed',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        const assets = Object.values(bundle).filter(({ fileName }) =>
          /\.(?:js|css|svg)$/.test(fileName),
        );
        await Promise.all(
          assets.map(async (asset) => {
            const bytes = Buffer.from(asset.type === 'chunk' ? asset.code : asset.source);
            if (bytes.length < WORTHWHILE_BYTES) return;
            const params = { [constants.BROTLI_PARAM_QUALITY]: 10 };
            const [br, gz] = await Promise.all([
              inBrotli(bytes, { params }),
              inGzip(bytes, { level: 9 }),
            ]);
            this.emitFile({ type: 'asset', fileName: `${asset.fileName}.br`, source: br });
            this.emitFile({ type: 'asset', fileName: `${asset.fileName}.gz`, source: gz });
          }),
        );
      },
    },
  };
}
