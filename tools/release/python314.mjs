// Runs the module python314_calls in Pyodide: node python314.mjs FOLDER_OF_PACKAGES
import { loadPyodide } from "pyodide";

const python = await loadPyodide();
python.FS.mkdirTree("/packages");
python.mountNodeFS("/packages", process.argv[2]);
try {
  await python.runPythonAsync(`
import sys
import warnings

# Before the packages are imported: their modules must not warn either.
warnings.simplefilter("error")
sys.path.insert(0, "/packages")

import python314_calls

await python314_calls.main()
`);
} catch (error) {
  // Node.js would also print the line of Pyodide that raised it, which has 400 kB.
  console.error(error.message);
  process.exitCode = 1;
}
