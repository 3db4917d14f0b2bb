import { mount } from "svelte";
import App from "./App.svelte";
import { keepBuiltFiles } from "./installing";
import "./theme/tokens.css";
import "./theme/base.css";

mount(App, { target: document.getElementById("app")! });

// After the first view: the worker must not slow the page down.
if (import.meta.env.PROD) addEventListener("load", () => void keepBuiltFiles(), { once: true });
