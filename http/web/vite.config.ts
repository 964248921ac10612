import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// The service serves dist/ at / with a strict Content-Security-Policy: nothing may be inlined.
export default defineConfig({
  plugins: [svelte()],
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
  },
  server: { proxy: { "/games": "http://127.0.0.1:8080", "/systems": "http://127.0.0.1:8080" } },
  // Generous: a busy machine must not fail a test.
  test: { include: ["src/**/*.test.ts"], environment: "node", testTimeout: 120_000 },
});
