/** Names by what a user agent contains. The order matters, because browsers name others in their user agent. */
const browsers = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox|FxiOS', 'Firefox'],
  ['Chrome|CriOS', 'Chrome'],
  ['Safari', 'Safari'],
] as const;

const systems = [
  ['iPhone|iPad', 'iOS'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const;

const nameIn = (names: typeof browsers | typeof systems, userAgent: string): string | undefined =>
  names.find(([pattern]) => new RegExp(pattern).test(userAgent))?.[1];

/** Browser and system of a user agent, such as `Firefox · Linux`. @param unknown when it names no known browser */
export function browserName(userAgent: string | null, unknown: string): string {
  const text = userAgent ?? '';
  const system = nameIn(systems, text);
  return [nameIn(browsers, text) ?? unknown, ...(system === undefined ? [] : [system])].join(' · ');
}

/** The network of an address, without what identifies one device: `192.0.2.x`, `2001:db8:1::`. */
export function coarseNetwork(address: string | null): string | undefined {
  if (address === null) return undefined;
  const [, ipv4] = /^(?:::ffff:)?(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$/i.exec(address) ?? [];
  if (ipv4 !== undefined) return `${ipv4}.x`;
  return `${address.split('::')[0]?.split(':').slice(0, 3).join(':') ?? ''}::`;
}
