import { configure } from "@testing-library/svelte";

// Tests wait for what they expect. Only what hangs takes so long, however busy the machine is.
configure({ asyncUtilTimeout: 60_000 });
