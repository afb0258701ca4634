// Rewrites the built declarations of the package that calls it: `export type Offer = z.output<typeof offerSchema>` becomes
// an interface whose comments are the schema's descriptions. Editors show those; an inferred type has none.
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { posix, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const INFERRED = /^export type (?<name>\w+) = z\.output<typeof (?<schemaName>\w+)>;$/;

const files = globSync("dist/**/*.d.ts").map((file) => file.replaceAll("\\", "/"));
const texts = new Map(files.map((file) => [file, readFileSync(file, "utf8")]));

/** The types to write, by their schemas. */
const types = new Map();
for (const [file, text] of texts) {
  const found = text.split("\n").flatMap((line) => INFERRED.exec(line)?.groups ?? []);
  if (found.length > 0) {
    const module = await import(pathToFileURL(resolve(file.replace(/\.d\.ts$/, ".js"))).href);
    for (const { name, schemaName } of found) {
      types.set(module[schemaName], { file, name });
    }
  }
}

for (const [file, text] of texts) {
  const lines = text.split("\n");
  if (lines.some((line) => INFERRED.test(line))) {
    write(file, lines);
  }
}

/** Writes the lines of a file with its types as interfaces, and keeps its declaration map true. */
function write(file, lines) {
  const map = JSON.parse(readFileSync(`${file}.map`, "utf8"));
  const mappings = map.mappings.split(";");
  const imports = new Map();
  // From the end, so that the numbers of lines before stay.
  for (let number = lines.length - 1; number >= 0; number--) {
    const [, name, schemaName] = INFERRED.exec(lines[number]) ?? [];
    if (name !== undefined) {
      const [schema] = [...types].find(([, type]) => type.file === file && type.name === name);
      const written = interfaceOf(schema, { name, schemaName, file, imports }).split("\n");
      lines.splice(number, 1, ...written);
      mappings.splice(number + 1, 0, ...Array.from({ length: written.length - 1 }, () => ""));
    }
  }
  // The line of the map's own address is the last one.
  lines.splice(-1, 0, ...imports.values());
  writeFileSync(file, lines.join("\n"));
  writeFileSync(`${file}.map`, JSON.stringify({ ...map, mappings: mappings.join(";") }));
}

function interfaceOf(schema, { name, schemaName, file, imports }) {
  const text = members(schema, "", `${schemaName}.shape`);
  return `${comment(schema.description, "")}export interface ${name} ${text}`;

  function members(object, indent, path) {
    const inner = `${indent}  `;
    const written = Object.entries(object.shape).map(([key, member]) => {
      const mark = member.def.type === "optional" ? "?" : "";
      const type = typeOf(member, inner, path && `${path}.${key}`);
      return `${comment(descriptionOf(member), inner)}${inner}${key}${mark}: ${type};\n`;
    });
    return `{\n${written.join("")}${indent}}`;
  }

  /** `path` is how TypeScript refers to the schema; undefined inside of another one. */
  function typeOf(member, indent, path) {
    const { def } = member;
    const of = (part) => typeOf(part, indent);
    switch (def.type) {
      case "object": {
        const type = types.get(member);
        return type === undefined ? members(member, indent, path && `${path}.shape`) : nameOf(type);
      }
      case "optional":
        return `${of(def.innerType)} | undefined`;
      case "nullable":
        return `${of(def.innerType)} | null`;
      case "default":
        return of(def.innerType);
      case "pipe":
        return of(def.out);
      case "array": {
        const item = of(def.element);
        return item.includes(" ") && !item.startsWith("{") ? `(${item})[]` : `${item}[]`;
      }
      case "record": {
        const record = `Record<${of(def.keyType)}, ${of(def.valueType)}>`;
        return def.keyType.def.type === "string" ? record : `Partial<${record}>`;
      }
      case "union":
        return [...new Set(def.options.map(of))].join(" | ");
      case "enum":
        return member.options.map((value) => JSON.stringify(value)).join(" | ");
      case "literal":
        return def.values.map((value) => JSON.stringify(value)).join(" | ");
      case "string":
      case "number":
      case "boolean":
        return def.type;
      default:
        if (path === undefined) {
          throw new RangeError(`${file}: the type of a part of ${name} can't be written: ${def.type}.`);
        }
        return `z.output<typeof ${path}>`;
    }
  }

  function nameOf(type) {
    if (type.file !== file) {
      const from = posix.relative(posix.dirname(file), type.file.replace(/\.d\.ts$/, ".js"));
      const address = from.startsWith(".") ? from : `./${from}`;
      imports.set(type.name, `import type { ${type.name} } from "${address}";`);
    }
    return type.name;
  }
}

function descriptionOf(schema) {
  return schema.description ?? (schema.def.innerType === undefined ? undefined : descriptionOf(schema.def.innerType));
}

function comment(text, indent) {
  return text === undefined ? "" : `${indent}/** ${text.replaceAll("*/", String.raw`*\/`)} */\n`;
}
