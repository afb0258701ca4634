// Excludes message wording from mutation, because no rule of the product depends on it. Codes, keys and other strings
// without spaces are still mutated, and so are expressions inside a text.

const isWording = (text) => /[\p{L}.,:;]\s+\S|\S\s+\p{L}/u.test(text);

const isPlain = (node) =>
  node.type === "Identifier" ||
  (node.type === "MemberExpression" && !node.computed && isPlain(node.object)) ||
  (node.type === "CallExpression" &&
    isPlain(node.callee) &&
    node.arguments.every((each) => isPlain(each) || each.type === "StringLiteral"));

const ignorer = {
  shouldIgnore({ node }) {
    if (node.type === "StringLiteral" && isWording(node.value)) {
      return "wording";
    }
    if (
      node.type === "TemplateLiteral" &&
      isWording(node.quasis.map(({ value }) => value.raw).join("x")) &&
      node.expressions.every(isPlain)
    ) {
      return "wording";
    }
    return undefined;
  },
};

export const strykerPlugins = [{ kind: "Ignore", name: "wording", value: ignorer }];
