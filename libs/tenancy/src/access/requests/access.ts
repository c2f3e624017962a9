import { createParamDecorator, Injectable, type CanActivate, type ExecutionContext, type OnApplicationBootstrap } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { kernelProblem } from '#kernel';
import type { Request, Response } from 'express';
import { ruleOf, type AccessRule } from './access-rule.js';
import type { Scope } from '../../people/roles/api-key-scopes.js';
import type { Principal } from '../keys/api-keys.service.js';
import { ApiKeyStrategy, isCheckedLater } from './api-key.strategy.js';
import { ControllerRoutes } from './controller-routes.js';
import { applyOrigins } from './cors.service.js';
import { isFirstMetaOnly } from '../../database/context/first-meta.js';
import { RequestLimitsService } from './request-limits.service.js';
import { problem, unauthorized } from '../../database/context/tenancy.problems.js';
import { demandModule, modulesOf } from '../../database/context/tenant-modules.js';
import type { TenantModule } from '../../database/context/tenant-categories.js';
import { QuotasService } from '../../tenants/quotas/quotas.service.js';
import { TenantsService } from '../../tenants/tenants/tenants.service.js';

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
  private readonly known = new WeakMap<object, RouteRules>();

  constructor(
    private readonly reflector: Reflector,
    private readonly strategy: ApiKeyStrategy,
    private readonly routes: ControllerRoutes,
    private readonly limits: RequestLimitsService,
    private readonly tenants: TenantsService,
    private readonly quotas: QuotasService,
  ) {}

  /** @throws AccessRuleMissingError naming every route without a rule */
  onApplicationBootstrap(): void {
    const missing = this.routes.all().filter((route) => !route.rule);
    if (missing.length > 0) {
      throw new AccessRuleMissingError(`No @Access on ${missing.map((route) => route.name).join(', ')}: say who may call it.`);
    }
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { rule, firstMetaOnly, modules } = this.rulesOf(context);
    // Checked before the key, because on other tenants the route does not exist.
    if (firstMetaOnly && !(await this.tenants.isFirstMeta())) throw kernelProblem('route.unknown');
    await this.admit(context, rule);
    // Checked after the key, so that unauthorised callers learn nothing about the tenant.
    if (modules.length > 0) demandModule(...modules);
    return true;
  }

  /** The decorators of a route. Kept, because reading them takes time. */
  private rulesOf(context: ExecutionContext): RouteRules {
    const [handler, controller] = [context.getHandler(), context.getClass()];
    const known = this.known.get(handler);
    // Controllers can inherit a method.
    if (known?.controller === controller) return known;
    const rule = ruleOf(this.reflector, handler, controller);
    if (!rule) throw new AccessRuleMissingError(`No @Access on ${controller.name}.${handler.name}`);
    const modules = modulesOf(this.reflector, handler, controller);
    const rules = { controller, rule, firstMetaOnly: isFirstMetaOnly(this.reflector, context), modules };
    this.known.set(handler, rules);
    return rules;
  }

  private async admit(context: ExecutionContext, rule: AccessRule): Promise<void> {
    const request = context.switchToHttp().getRequest<Request>();
    const { authorization } = request.headers;
    if (rule.who === 'public' || authorization === undefined) this.limits.countVisitor(rule, request);
    if (rule.who === 'public' || (rule.who === 'guest' && authorization === undefined)) return;
    if (authorization === undefined) throw problem('key.missing', unauthorized);
    const response = context.switchToHttp().getResponse<Response>();
    const principal = await this.strategy.principalOf(request, response, rule);
    if (principal.kind === 'integration') applyOrigins(request, response, principal.allowedOrigins);
    this.limits.countPrincipal(principal, rule, request.method);
    checkRule(rule, principal, request.method);
    request.principal = principal;
    if (principal.kind === 'device') request.context.actor = { kind: 'device', deviceId: principal.deviceId };
    if (principal.kind !== 'integration') return;
    request.context.actor = { kind: 'key', keyId: principal.keyId };
    request.context.keyUnchecked = isCheckedLater(rule, request);
    // Pictures count by what is stored of them, reservations as bookings.
    if (!request.context.keyUnchecked && storesText(request)) await this.quotas.demand('megabytes', lengthOf(request));
  }
}

/** What the decorators of a route say about who may call it. */
interface RouteRules {
  readonly controller: object;
  readonly rule: AccessRule;
  readonly firstMetaOnly: boolean;
  readonly modules: readonly TenantModule[];
}

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

/** Bytes that count for a body whose length is not said. */
const unknownLength = 100_000;

const storesText = ({ method, headers }: Request): boolean =>
  method !== 'GET' && method !== 'HEAD' && method !== 'DELETE' && !/^multipart/i.test(headers['content-type'] ?? '');

const lengthOf = ({ headers }: Request): number =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : unknownLength;
