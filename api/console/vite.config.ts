/// <reference types="vitest/config" />
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

/** The source of code that most pages share. Not the outbox: the wall never writes. */
const SHELL =
  "src/(api/(?!needs)|game/(?!outbox|costs|alone|covering)|i18n/(?!quoting)|theme|pages|pieces/(Token|Icon)|router|frame/(texts|Clock|Opened)|journal/(lines|statuses)" +
  "|ui/(keys|Money|announcer|Remaining|remaining|ticking|awake|Figure|Lazy|Unloaded|texts|touch/settling)|App|installing)";

/** What Svelte has for fields of forms: the wall and the first page of the phone have none. */
const FIELDS = /svelte.src.internal.(client.dom.elements.(bindings.(input|select|size)|customizable)|shared.clone|client.dom.blocks.svelte-element)/;

/** Write the list of built files into the service worker. The fingerprint changes with any file. */
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
      const filled = worker.code.replace(/(["'`])__BUILT__\1/, () => JSON.stringify(JSON.stringify({ version, files })));
      if (filled === worker.code) return this.error("the service worker has no room for the list of files");
      worker.code = filled;
    },
  },
};

/** Redoc for the page of the API, unchanged but for the logo from another site. */
const packRedoc: Plugin = {
  name: "pack-redoc",
  generateBundle() {
    const built = readFileSync(createRequire(import.meta.url).resolve("redoc/bundles/redoc.standalone.js"), "utf8");
    const source = built.replaceAll(/https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini(-full)?\.svg/g, "icons/mabligop.svg");
    if (source === built) return this.error("Redoc has its logo elsewhere");
    this.emitFile({ type: "asset", fileName: "docs/redoc.js", source });
  },
};

/** List the packages with code in the pages, by their keys in the lock file: the wheel's bill of materials has them. */
const listPackages: Plugin = {
  name: "list-packages",
  generateBundle: {
    order: "post",
    handler(_options, bundle) {
      const modules = Object.values(bundle).flatMap((part) => (part.type === "chunk" ? Object.keys(part.modules) : []));
      const keys = modules.flatMap((id) => {
        // Code that the builders add has no file.
        const path = id.replace(/^\0(vite|rolldown)\//, "/node_modules/$1/");
        return path.match(/(?<=\/)node_modules\/(?:.+\/node_modules\/)?(?:@[^/]+\/)?[^/]+(?=\/)/)?.[0] ?? [];
      });
      const source = JSON.stringify([...new Set([...keys, "node_modules/redoc"])].sort(), null, 1);
      this.emitFile({ type: "asset", fileName: ".vite/packages.json", source });
    },
  },
};

export default defineConfig({
  plugins: [svelte(), tellWorker, packRedoc, listPackages],
  build: {
    outDir: "built",
    emptyOutDir: true,
    // .vite/manifest.json lists the files of each page: the tests weigh them.
    manifest: true,
    target: "es2022",
    // Images are files: the content security policy allows no data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      // Else whatever needs Svelte loads these, too, for effects that they do not have.
      treeshake: { moduleSideEffects: [{ test: FIELDS, sideEffects: false }] },
      input: { index: "index.html", worker: "src/worker.ts" },
      output: {
        // The service worker has a fixed address: its scope is the whole console.
        // Shared code of all pages compresses better in one file than in twenty.
        codeSplitting: {
          groups: [
            { name: "fields", test: FIELDS, includeDependenciesRecursively: false, priority: 4 },
            { name: "shell", test: new RegExp(SHELL), minShareCount: 2, priority: 3 },
            // Small files pack badly one by one: what several first pages share comes in two.
            { name: "parts", test: /src\/(board\/face|pieces\/(Note|DeedMark|Stamp|Deck|CardBack)|journal\/texts|game\/costs|frame\/Presence|ui\/(RuleRef|more)|i18n\/quoting|result\/seen)/, minShareCount: 2, priority: 2 },
            { name: "middle", test: /src\/middle\//, minShareCount: 2, priority: 2 },
            { name: "hand", test: /src\/phone\/(texts|waiting)/, minShareCount: 2, priority: 2 },
            { name: "bank", test: /src\/(frame\/(Strip|Pages|Pause)|ui\/Banner|entry\/(send|typing))/, minShareCount: 2, priority: 1 },
          ],
        },
        entryFileNames: (chunk) => (chunk.name === "worker" ? "worker.js" : "assets/[name]-[hash].js"),
      },
    },
  },
  server: { proxy: { "/api": process.env.MABLIGOP_URL ?? "http://127.0.0.1:8000" } },
  resolve: process.env.VITEST ? { conditions: ["browser"] } : {},
  // One page for all files: a new page for each file takes four times as long.
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
