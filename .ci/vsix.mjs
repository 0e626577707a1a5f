#!/usr/bin/env node
// Packs the extension for VS Code into dist/hindcast-debugger.vsix: npm run vsix
//
// A .vsix is a zip file (Open Packaging Conventions) that has the extension in a folder, and two manifests. It is made
// here and not by the usual tool, @vscode/vsce, because that needs a newer Node and installs native packages.
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { strToU8, zipSync } from "fflate";

const root = new URL("../", import.meta.url);
const folder = new URL("extensions/vscode/", root);
const target = new URL("dist/hindcast-debugger.vsix", root);

const CONTENT_TYPES = {
  js: "application/javascript",
  json: "application/json",
  md: "text/markdown",
  txt: "text/plain",
};

const escaped = (text) =>
  text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);

function manifest({ name, displayName, description, version, publisher, categories, engines }) {
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${escaped(name)}" Version="${escaped(version)}" Publisher="${escaped(publisher)}" />
    <DisplayName>${escaped(displayName)}</DisplayName>
    <Description xml:space="preserve">${escaped(description)}</Description>
    <Categories>${escaped(categories.join(","))}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${escaped(engines.vscode)}" />
    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code" />
  </Installation>
  <Dependencies />
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true" />
  </Assets>
</PackageManifest>
`;
}

const contentTypes = () =>
  `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
${Object.entries({ ...CONTENT_TYPES, vsixmanifest: "text/xml" })
  .map(([extension, type]) => `  <Default Extension=".${extension}" ContentType="${type}" />`)
  .join("\n")}
</Types>
`;

const files = Object.fromEntries(
  readdirSync(folder).map((name) => [`extension/${name}`, new Uint8Array(readFileSync(new URL(name, folder)))]),
);
const description = JSON.parse(readFileSync(new URL("package.json", folder), "utf8"));
const { version } = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
const archive = zipSync(
  {
    "[Content_Types].xml": strToU8(contentTypes()),
    "extension.vsixmanifest": strToU8(manifest({ ...description, version })),
    ...files,
    "extension/package.json": strToU8(`${JSON.stringify({ ...description, version }, null, 2)}\n`),
    "extension/LICENSE.txt": new Uint8Array(readFileSync(new URL("LICENSE", root))),
  },
  // The same bytes on every machine.
  { mtime: "1980-01-01T00:00:00", level: 9 },
);
mkdirSync(new URL(".", target), { recursive: true });
// Nobody reads half of it, also when two of these run at once.
const written = new URL(`${target.href}.${process.pid}`);
writeFileSync(written, archive);
renameSync(written, target);
console.log(`${fileURLToPath(target)}: ${archive.length} bytes`);
