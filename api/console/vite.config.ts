/// <reference types="vitest/config" />
import { createHash } from "node:crypto";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

/** Tells the service worker which files there are. Their fingerprint changes when any of them does. */
const tellWorker: Plugin = {
  name: "tell-worker",
  generateBundle: {
    order: "post",
    handler(_options, bundle) {
      const worker = bundle["worker.js"];
      if (worker?.type !== "chunk") return this.error("there is no service worker");
      const names = Object.keys(bundle).filter((name) => name.startsWith("assets/")).sort();
      const document = bundle["index.html"];
      const source = worker.code + names.join() + (document?.type === "asset" ? String(document.source) : "");
      const version = createHash("sha256").update(source).digest("hex").slice(0, 16);
      const files = [...names.map((name) => `/${name}`), "/icons/mabligop.svg"];
      const told = worker.code.replace(/(["'`])__BUILT__\1/, () => JSON.stringify(JSON.stringify({ version, files })));
      if (told === worker.code) return this.error("the service worker has no room for the list of files");
      worker.code = told;
    },
  },
};

export default defineConfig({
  plugins: [svelte(), tellWorker],
  build: {
    outDir: "built",
    emptyOutDir: true,
    // .vite/manifest.json says which files each page needs: the tests weigh them.
    manifest: true,
    target: "es2022",
    // Images are files: the content security policy allows no data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: { index: "index.html", worker: "src/worker.ts" },
      output: {
        // The service worker has a fixed address: its scope is the whole console.
        entryFileNames: (chunk) => (chunk.name === "worker" ? "worker.js" : "assets/[name]-[hash].js"),
      },
    },
  },
  server: { proxy: { "/api": process.env.MABLIGOP_URL ?? "http://127.0.0.1:8000" } },
  resolve: process.env.VITEST ? { conditions: ["browser"] } : {},
  // One page for all files: a new one for each takes four times as long.
  test: {
    environment: "happy-dom",
    include: ["src/**/*.test.ts"],
    setupFiles: ["patience.ts"],
    testTimeout: 300_000,
    restoreMocks: true,
    isolate: false,
    pool: "threads",
  },
});
