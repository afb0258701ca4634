// Every name that other packages and repos may use.
export { AgentCatalogError, type AgentCatalog } from "./agent-catalog.js";
export { createAgentServer, type AgentServerOptions } from "./agent-server.js";
