// Shows the API's description with Redoc: docs/redoc.js is packed by the build.
import { init } from "./redoc.js";

const place = document.getElementById("api");
init(
  place.dataset.document,
  { disableTelemetry: true, hideDownloadButtons: true, hideLoading: true, hideSchemaTitles: true, requiredPropsFirst: true },
  place,
);
