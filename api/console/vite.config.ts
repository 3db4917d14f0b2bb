import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: "built",
    emptyOutDir: true,
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
  test: { environment: "happy-dom", include: ["src/**/*.test.ts"], restoreMocks: true },
});
