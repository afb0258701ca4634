// Rules of oxlint for what its own rules don't cover: how members are private, where readonly stands, and how an import
// names a file.
import { join } from "node:path/posix";

const privateMembers = {
  meta: { type: "suggestion" },
  create: (context) => {
    const check = (node) => {
      if (node.accessibility === "private" && node.kind !== "constructor") {
        context.report({ node, message: "Name a private member with #; private is for constructors alone." });
      }
    };
    return { PropertyDefinition: check, MethodDefinition: check, AccessorProperty: check };
  },
};

const readonlyProperties = {
  meta: { type: "suggestion" },
  create: (context) => ({
    TSPropertySignature: (node) => {
      if (node.readonly) {
        context.report({ node, message: "Properties of interfaces and types are not readonly; arrays and maps are." });
      }
    },
  }),
};

/** Files that tsc compiles, or that stand beside them. Node and vitest run all others as they are. */
const isCompiled = (path) => /\/(?:packages|apps)\/(?!testkit\/)[^/]+\/src\//.test(path);

const importEndings = {
  meta: { type: "suggestion" },
  create: (context) => {
    const check = ({ source }) => {
      const specifier = source?.value;
      if (!/\.tsx?$/.test(context.filename) || !/^\.{1,2}\/(?!.*node_modules).*\.[jt]sx?$/.test(specifier)) {
        return;
      }
      const wanted = isCompiled(context.filename) && isCompiled(join(context.filename, "..", specifier)) ? "j" : "t";
      if (!specifier.endsWith(`.${wanted}s`) && !specifier.endsWith(`.${wanted}sx`)) {
        context.report({
          node: source,
          message: `Name this file .${wanted}s: .js between files of src, .ts elsewhere.`,
        });
      }
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
    };
  },
};

export default {
  meta: { name: "dialect" },
  rules: {
    "private-members": privateMembers,
    "readonly-properties": readonlyProperties,
    "import-endings": importEndings,
  },
};
