/** What clients and registries show of the server. */
export const ABOUT = { name: 'tipoff', title: 'Tipoff', version: '1.0.0' };

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/** The entry of a service in a registry. Services are run by many: the operator replaces the namespace and the host. */
export function registryEntry() {
  const { name, title, version } = ABOUT;
  return {
    $schema: SCHEMA,
    name: `com.example/${name}`,
    title,
    description: 'Alerts about bets on Polymarket that look informed, with scores and results.',
    version,
    remotes: [
      {
        type: 'streamable-http',
        url: 'https://{host}/mcp',
        variables: { host: { description: 'Host of the Tipoff service.', isRequired: true } },
        headers: [
          {
            name: 'Authorization',
            description: '`Bearer` and an API key. Without it alerts come late.',
            placeholder: 'Bearer sk_live_…',
            isSecret: true,
          },
        ],
      },
    ],
  };
}
