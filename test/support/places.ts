import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiKeysService, TenantsService, UsersService, type Scope, type TenantIdentity } from '#tenancy';
import sharp from 'sharp';
import type { TestApp } from './test-app.js';

/** A server on loopback with a picture at `/picture.png`, for the creation of places. */
export interface PictureServer {
  readonly url: string;
  /** Requests so far. */
  readonly asked: () => number;
  close(): Promise<void>;
}

export async function startPictureServer(): Promise<PictureServer> {
  const png = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    if (request.url === '/picture.png') response.writeHead(200, { 'Content-Type': 'image/png' }).end(png);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/picture.png`,
    asked: () => asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The first Meta of a server. */
export async function metaOf(test: TestApp): Promise<TenantIdentity> {
  return (await test.app.get(TenantsService).bySlug('meta')) as TenantIdentity;
}

export interface Creator {
  readonly userId: string;
  readonly authorization: string;
}

/** A user with the permission to create tenants, and an integration key of the Meta. */
export async function newCreator(
  test: TestApp,
  {
    tenant,
    scopes = ['place:read', 'place:write'],
    mayCreateTenants = true,
  }: { tenant?: TenantIdentity; scopes?: Scope[]; mayCreateTenants?: boolean } = {},
): Promise<Creator> {
  const home = tenant ?? (await metaOf(test));
  const email = `${randomUUID()}@example.org`;
  const { id } = await test.app.get(UsersService).create({ email, mayCreateTenants });
  await test.app.get(UsersService).grant(id, { tenantId: home.id });
  const { key } = await test.inside(home, () =>
    test.app.get(ApiKeysService).createIntegrationKey({ name: 'Creator', ownerId: id, scopes }),
  );
  return { userId: id, authorization: `Api-Key ${key}` };
}

/** A valid body of `POST /api/place/`. */
export function placeBody(pictureUrl: string, more: object = {}): Record<string, unknown> {
  return {
    organisation: `Hall ${randomUUID().slice(0, 8)}`,
    short_description: 'A music hall',
    long_description: '<p>Concerts <script>alert(1)</script>most weeks</p>',
    phone: '+33 2 61 91 44 20',
    email: 'hello@hall.example',
    site_web: 'https://hall.example/',
    postal_code: '44200',
    img_url: pictureUrl,
    logo_url: pictureUrl,
    categorie: 'S',
    ...more,
  };
}
