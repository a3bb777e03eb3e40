/** The server as it may be shown: what stands before the last `@` could be a password, escaped or not. */
export function shownServer(uri: string): string {
  const rest = uri.replace(/^mongodb(\+srv)?:\/\//, '');
  return rest.slice(rest.lastIndexOf('@') + 1).replace(/[/?].*$/s, '');
}

/** Takes the credentials of the URI out of a text, however the text quotes them. */
export function withoutCredentials(text: string, uri: string): string {
  const end = uri.lastIndexOf('@');
  if (end < 0) return text;
  const credentials = uri.slice(uri.indexOf('//') + 2, end);
  const password = credentials.slice(credentials.indexOf(':') + 1);
  const secrets = [credentials, password, decoded(password)].filter((secret) => secret !== '');
  return secrets.reduce((clean, secret) => clean.replaceAll(secret, '***'), text);
}

/** Name of the database in the URI; the service's own name when there is none. */
export function databaseName(uri: string): string {
  return /^mongodb(?:\+srv)?:\/\/[^/]+\/([^/?]+)/.exec(uri)?.[1] ?? 'tipoff';
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
