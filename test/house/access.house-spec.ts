import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { KernelModule } from '#kernel';
import { Access, AccessGuard, AccessRuleMissingError, TenancyModule } from '#tenancy';
import { APP_GUARD } from '@nestjs/core';
import { startTestApp, testSecret, type TestApp } from '../support/test-app.js';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());

/** Every route with its rule: a new one must be written here, so that somebody has thought about it. */
const expected: Readonly<Record<string, string>> = {
  'HealthController.live': 'public',
  'HealthController.ready': 'public',
  'HealthController.metrics': 'public',
  'HomeController.home': 'public',
  'PairingController.look': 'public',
  'PairingController.pairByGet': 'public',
  'PairingController.pairByPost': 'public',
  'ScanController.testApi': 'device',
  'ScanController.keys': 'device',
  'ScanController.checkTicket': 'door',
  'ScanController.scanTicket': 'door',
  'ScanController.undo': 'door',
};

describe('access rules', () => {
  it('stand on every route, as listed', async () => {
    const guards = [
      ...(
        test.app as unknown as {
          container: { getModules(): Map<string, { providers: Map<unknown, { instance: unknown }> }> };
        }
      ).container
        .getModules()
        .values(),
    ]
      .flatMap(({ providers }) => [...providers.values()].map(({ instance }) => instance))
      .filter((instance): instance is AccessGuard => instance instanceof AccessGuard);
    expect(guards).toHaveLength(1);
    const found = Object.fromEntries(guards[0]!.routes().map(({ name, rule }) => [name, rule?.who]));
    expect(found).toEqual(expected);
  });

  it('stop the start when a route has none', async () => {
    @Controller('open')
    class Forgotten {
      @Get('ruled')
      @Access('public')
      ruled(): void {
        // Has its rule.
      }

      @Get('forgotten')
      forgotten(): void {
        // Has none.
      }
    }
    @Module({
      imports: [KernelModule.with(test.settings, testSecret), TenancyModule.with(test.database.url, [])],
      controllers: [Forgotten],
    })
    class Wrong {}
    const app = await NestFactory.create(Wrong, { logger: false, abortOnError: false });
    const start = app.init();
    await expect(start).rejects.toThrow(AccessRuleMissingError);
    await expect(start).rejects.toThrow('Forgotten.forgotten');
    await app.close();
    expect(APP_GUARD).toBeDefined();
  });
});
