// Byte code for the folder without a server: the engine's own Python compiles every source below a folder.
//
//     node compile.mjs FOLDER

import { loadPyodide } from "pyodide";

const py = await loadPyodide({ env: { PYTHONHASHSEED: "0" } }); // equal sources give equal byte code
py.mountNodeFS("/app", process.argv[2]);
py.runPython(`
import compileall, py_compile

mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
if not compileall.compile_dir("/app", legacy=True, quiet=1, invalidation_mode=mode):
    raise SystemExit("the sources could not be compiled")
`);
