// The package's public API.
export { AgentCatalogError, type AgentCatalog } from "./agent-catalog.js";
export { createAgentServer, type AgentServerOptions } from "./agent-server.js";
