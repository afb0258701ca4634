// Rules of oxlint for what its own rules don't cover: how members are private, and where readonly stands.

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

export default {
  meta: { name: "dialect" },
  rules: { "private-members": privateMembers, "readonly-properties": readonlyProperties },
};
