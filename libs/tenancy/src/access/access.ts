import { createParamDecorator, Injectable, type CanActivate, type ExecutionContext, type OnApplicationBootstrap } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { kernelProblem } from '#kernel';
import type { Request, Response } from 'express';
import passport from 'passport';
import { HeaderAPIKeyStrategy } from 'passport-headerapikey';
import { ruleOf, type AccessRule } from './access-rule.js';
import type { Scope } from '../keys/api-key-scopes.js';
import { ApiKeysService, type Principal } from '../keys/api-keys.service.js';
import { ControllerRoutes } from './controller-routes.js';
import { applyOrigins } from './cors.service.js';
import { isFirstMetaOnly } from '../context/first-meta.js';
import { keyOf, RequestLimitsService } from './request-limits.service.js';
import { problem, unauthorized } from '../context/tenancy.problems.js';
import { demandModule, modulesOf } from '../context/tenant-modules.js';
import { TenantsService } from '../tenants/tenants.service.js';

declare module 'express-serve-static-core' {
  interface Request {
    principal?: Principal;
  }
}

/** Injects the `Principal` of the request's key; undefined on public routes without one. */
export const Caller = createParamDecorator(
  (_options: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<Request>().principal,
);

/** A controller method has no `@Access`. */
export class AccessRuleMissingError extends Error {}

/** The guard of all routes, which also checks at start that every route has a rule. */
@Injectable()
export class AccessGuard implements CanActivate, OnApplicationBootstrap {
  private readonly authenticator = new passport.Passport();

  constructor(
    private readonly reflector: Reflector,
    private readonly keys: ApiKeysService,
    private readonly routes: ControllerRoutes,
    private readonly limits: RequestLimitsService,
    private readonly tenants: TenantsService,
  ) {
    // An empty prefix, because the strategy compares the scheme case-sensitively and HTTP does not.
    const strategy = new HeaderAPIKeyStrategy(
      { header: 'Authorization', prefix: '' },
      true,
      (header: string, done: Done, request?: Request) => {
        this.authenticate(header, request as Request).then(
          (principal) => done(null, principal),
          (error: unknown) => done(error as Error),
        );
      },
    );
    this.authenticator.use('api-key', strategy as unknown as passport.Strategy);
  }

  /** @throws AccessRuleMissingError naming every route without a rule */
  onApplicationBootstrap(): void {
    const missing = this.routes.all().filter((route) => !route.rule);
    if (missing.length > 0) {
      throw new AccessRuleMissingError(`No @Access on ${missing.map((route) => route.name).join(', ')}: say who may call it.`);
    }
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const rule = ruleOf(this.reflector, context.getHandler(), context.getClass());
    if (!rule) throw new AccessRuleMissingError(`No @Access on ${context.getClass().name}.${context.getHandler().name}`);
    // Checked before the key, because on other tenants the route does not exist.
    if (isFirstMetaOnly(this.reflector, context) && !(await this.tenants.isFirstMeta())) throw kernelProblem('route.unknown');
    await this.admit(context, rule);
    // Checked after the key, so that unauthorised callers learn nothing about the tenant.
    const modules = modulesOf(this.reflector, context.getHandler(), context.getClass());
    if (modules.length > 0) demandModule(...modules);
    return true;
  }

  private async admit(context: ExecutionContext, rule: AccessRule): Promise<void> {
    const request = context.switchToHttp().getRequest<Request & { accessRule?: AccessRule }>();
    const keyless = request.headers.authorization === undefined;
    if (rule.who === 'public' || keyless) this.limits.countVisitor(rule, request);
    if (rule.who === 'public' || (rule.who === 'guest' && keyless)) return;
    request.accessRule = rule;
    const response = context.switchToHttp().getResponse<Response>();
    const principal = await this.principalOf(request, response);
    if (principal.kind === 'integration') applyOrigins(request, response, principal.allowedOrigins);
    this.limits.countPrincipal(principal, rule, request.method);
    checkRule(rule, principal, request.method);
    request.principal = principal;
    if (principal.kind === 'integration') request.context.actor = { kind: 'key', keyId: principal.keyId };
  }

  private principalOf(request: Request, response: Response): Promise<Principal> {
    return new Promise((resolve, reject) => {
      const middleware = this.authenticator.authenticate('api-key', { session: false }, (error: unknown, principal?: Principal | false) => {
        if (error) reject(error);
        else if (principal) resolve(principal);
        else reject(problem('key.missing', unauthorized));
      }) as (request: Request, response: Response, next: (error?: unknown) => void) => void;
      middleware(request, response, (error) => reject((error as Error | undefined) ?? problem('key.missing', unauthorized)));
    });
  }

  private async authenticate(header: string, request: Request & { accessRule?: AccessRule }): Promise<Principal> {
    const key = keyOf(header);
    if (key === undefined) {
      this.limits.countNoKey(request);
      throw problem(/^api-key\b/i.test(header) ? 'key.malformed' : 'key.missing', unauthorized);
    }
    const { accessRule: rule } = request;
    return this.limits.countKey(key, rule, request, () => this.keys.authenticate(key, request.ip, rule?.who === 'door'));
  }
}

type Done = (error: Error | null, principal?: Principal) => void;

function checkRule(rule: AccessRule, principal: Principal, method: string): void {
  if (rule.who !== 'key' && rule.who !== 'guest') {
    if (principal.kind !== 'device') throw problem('key.kind');
    return;
  }
  if (principal.kind !== 'integration') throw problem('key.kind');
  const reads = method === 'GET' || method === 'HEAD';
  const [read, write] = [`${rule.scope}:read`, `${rule.scope}:write`] as const;
  if (rule.who === 'guest' && !reads && principal.scopes.includes(read)) return;
  demand(principal, reads ? read : write);
}

/**
 * For routes with `guest`: requires a key with this scope.
 * @throws Problem 401 `key.missing` without a key; 403 `key.scope` when it lacks the scope
 */
export function demandScope(caller: Principal | undefined, scope: Scope): void {
  if (!caller) throw problem('key.missing', unauthorized);
  demand(caller, scope);
}

function demand(principal: Principal, scope: Scope): void {
  if (principal.kind !== 'integration') throw problem('key.kind');
  if (!principal.scopes.includes(scope)) throw problem('key.scope', { parameters: { scope } });
}
