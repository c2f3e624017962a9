/** A request of the twin-tenant matrix. `{event}` and others are ids of the other tenant; `{ours}` is an event of the host's own tenant. */
export interface TwinRequest {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  readonly path: string;
  readonly body?: unknown;
  /** The kind of key to send; default: none. */
  readonly key?: 'integration' | 'device';
}

export const api = (method: TwinRequest['method'], path: string, body?: unknown): TwinRequest => ({
  method,
  path,
  key: 'integration',
  ...(body !== undefined && { body }),
});
export const door = (method: TwinRequest['method'], path: string, body?: unknown): TwinRequest => ({
  ...api(method, path, body),
  key: 'device',
});
export const page = (path: string): TwinRequest => ({ method: 'get', path });
