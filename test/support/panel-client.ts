import supertest from 'supertest';
import type { TenantIdentity } from '#tenancy';
import type { TestApp } from './test-app.js';

/** The parts of the panel API's responses that tests check. */
export interface PanelAnswer {
  record?: {
    id: string;
    title: string;
    params: Record<string, unknown>;
    errors: Record<string, { message: string }>;
  } | null;
  records?: { id: string; title: string; params: Record<string, unknown> }[];
  notice?: { type: string; message: string; options?: Record<string, number> };
  redirectUrl?: string;
  /** Errors of a page without a record. */
  errors?: Record<string, { message: string }>;
  view?: Record<string, unknown> | null;
  meta?: { total: number };
}

/** The messages beside the fields of a record's form. */
export const recordFaults = ({ record }: PanelAnswer): Record<string, string> => messagesOf(record?.errors);

/** The messages beside the fields of a page without a record. */
export const pageFaults = ({ errors }: PanelAnswer): Record<string, string> => messagesOf(errors);

function messagesOf(errors: PanelAnswer['errors']): Record<string, string> {
  return Object.fromEntries(Object.entries(errors ?? {}).map(([field, { message }]) => [field, message]));
}

export type PanelMethod = 'get' | 'post' | 'head' | 'put' | 'patch' | 'delete' | 'options';

/** An HTTP client with the session of one member of staff on one host of the panel. */
export class PanelClient {
  cookie = '';
  private readonly host: string;
  private readonly base: string;

  constructor(test: TestApp, host: string | TenantIdentity) {
    this.host = typeof host === 'string' ? host : host.host;
    this.base = `http://127.0.0.1:${test.port}`;
  }

  /** Sends a request as the panel's pages do. The pages use only `get` and `post`; tests also try other methods. */
  call(method: PanelMethod, path: string): supertest.Test {
    const agent = supertest(this.base);
    const call = agent[method](`/admin${path}`).set({ Host: this.host, 'Sec-Fetch-Site': 'same-origin' });
    return this.cookie ? call.set('Cookie', this.cookie) : call;
  }

  signIn(email: string, password: string): Promise<supertest.Response> {
    return this.enter('/login', { email, password });
  }

  /** Sends a form that begins a session. */
  async enter(path: string, fields: object): Promise<supertest.Response> {
    const answer = await this.call('post', path).type('form').send(fields);
    const set = [answer.headers['set-cookie']].flat().flatMap((cookie) => cookie?.split(';')[0] ?? []);
    // The session cookie; the second cookie marks browsers with an earlier sign-in.
    if (set.length > 0)
      this.cookie = [
        ...set.filter((cookie) => cookie.startsWith('guichet=')),
        ...set.filter((cookie) => !cookie.startsWith('guichet=')),
      ].join('; ');
    return answer;
  }

  async list(resource: string, query: Record<string, string> = {}): Promise<PanelAnswer> {
    return (await this.call('get', `/api/resources/${resource}/actions/list`).query(query).expect(200)).body as PanelAnswer;
  }

  async look(resource: string, id: string, action = 'show'): Promise<PanelAnswer> {
    return (await this.call('get', `/api/resources/${resource}/records/${encodeURIComponent(id)}/${action}`)).body as PanelAnswer;
  }

  async create(resource: string, fields: object): Promise<PanelAnswer> {
    return (await this.call('post', `/api/resources/${resource}/actions/new`).send(fields)).body as PanelAnswer;
  }

  async act(resource: string, id: string, action: string, fields: object = {}): Promise<PanelAnswer> {
    const path = `/api/resources/${resource}/records/${encodeURIComponent(id)}/${action}`;
    return (await this.call('post', path).send(fields)).body as PanelAnswer;
  }

  /** Downloads a file; the response body is a Buffer. */
  file(path: string, language = 'en'): supertest.Test {
    return this.call('get', path)
      .set('Accept-Language', language)
      .buffer(true)
      .parse((response, done) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => done(null, Buffer.concat(chunks)));
      });
  }

  /** Loads a page of a resource without a record. */
  async page(resource: string, name: string, query: Record<string, string> = {}): Promise<PanelAnswer> {
    return (await this.call('get', `/api/resources/${resource}/actions/${name}`).query(query)).body as PanelAnswer;
  }

  /** Submits such a page. */
  async send(resource: string, name: string, fields: object, language = 'en'): Promise<PanelAnswer> {
    const sent = this.call('post', `/api/resources/${resource}/actions/${name}`).set('Accept-Language', language);
    return (await sent.send(fields)).body as PanelAnswer;
  }
}
