/** What `public/panzoom-4.6.2.min.js` defines: it is the file that the package of this name and version ships. */
declare const Panzoom: typeof import("@panzoom/panzoom/dist/src/panzoom").default;
