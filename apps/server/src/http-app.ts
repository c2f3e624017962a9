import type { LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import {
  addressLimits,
  answerProblem,
  attachContext,
  BodyGuard,
  BodyPipe,
  bodyLimits,
  enterRequest,
  hostCheck,
  jsonBody,
  oneLayer,
  PageTurns,
  preferenceLimits,
  ProblemFilter,
  requestLog,
  ServerLoad,
} from '#http';
import { ApiDocumentService } from '#api-document';
import { createLogger, gauge, type Logger } from '#kernel';
import { mountPanel } from '#panel';
import { JobQueueService } from '#jobs';
import { BackupService, CorsService, enterTenant, Migrator, RequestLimitsService, TenantDb, TenantMiddleware } from '#tenancy';
import { DispatcherService } from '#webhooks';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import helmet from 'helmet';
import { apiCompression } from './api-compression.js';
import { Drain } from './drain.js';
import { HttpAdapter } from './http-adapter.js';
import { answerParserRefusals } from './parser-refusals.js';
import { ServerModule, type ServerParts } from './server.module.js';

/** Paths with compressed answers; those of the pages compress themselves. */
const compressedPath = /^\/(api|scan\/(pack|names))(\/|$)/i;
const operationsPath = /^\/(live|ready|metrics|tls\/ask)\/?$/i;

/**
 * Builds the HTTP application, initialised but not listening. The order of the middleware matters: request id, headers, log, host and
 * address checks, CORS, tenant, CORS of keys, panel, body, routes.
 */
export async function createHttpApp(parts: ServerParts): Promise<NestExpressApplication> {
  const { logger = createLogger(parts.settings) } = parts;
  const adapter = new HttpAdapter(parts.settings, logger);
  const app = await NestFactory.create<NestExpressApplication>(ServerModule.with({ ...parts, logger }), adapter, {
    bodyParser: false,
    abortOnError: false,
    logger: quietLogger(logger),
  });
  app.get(ApiDocumentService).describe(app);
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.set('trust proxy', parts.settings.trustedProxies.length > 0 ? [...parts.settings.trustedProxies] : false);

  const tenant = app.get(TenantMiddleware);
  const forTenant: RequestHandler = (request, response, next) => {
    if (operationsPath.test(request.path)) return next();
    tenant.use(request, response, next).catch(next);
  };
  // Plain health checks of proxies send no host.
  const checkHost: RequestHandler = (request, response, next) =>
    request.headers.host === undefined && operationsPath.test(request.path) ? next() : hostCheck(request, response, next);
  const cors = app.get(CorsService);
  app.use(
    oneLayer(
      app.get(ServerLoad).middleware,
      attachContext,
      preferenceLimits,
      securityHeaders(),
      requestLog(logger, parts.settings.logRequests),
      app.get(Drain).middleware,
      checkHost,
      addressLimits,
      cors.look,
    ),
  );
  app.enableCors(cors.openReads);
  app.use(forTenant);
  app.enableCors(cors.keyed);
  const compress = apiCompression();
  // Not mounted at a path: the router would cut mount paths from the absolute target that it saw before `hostCheck` rewrote it.
  const compressPath: RequestHandler = (request, response, next) =>
    compressedPath.test(request.path) ? compress(request, response, next) : next();
  app.use(oneLayer(cors.answerOptions, compressPath));
  // The panel reads its bodies itself.
  app.use('/admin', enterRequest, enterTenant);
  mountPanel(app);
  app.use(
    oneLayer(app.get(RequestLimitsService).beforeBody, ...jsonBody(), bodyLimits, enterRequest, enterTenant, app.get(PageTurns).middleware),
    refuse(logger),
  );
  // No global interceptors: each one would cost every scan several promises and subscriptions.
  app.useGlobalGuards(new BodyGuard());
  app.useGlobalPipes(new BodyPipe());
  app.useGlobalFilters(new ProblemFilter(logger));

  const db = app.get(TenantDb);
  gauge('guichet_database_connections', 'Connections in the pool.', () => db.poolState().open);
  gauge('guichet_database_waiting', 'Callers waiting for a connection.', () => db.poolState().waiting);
  gauge('guichet_database_servers_silent', 'Database servers that do not answer: their tenants answer 503.', () => db.silentNodes.length);
  const migrator = app.get(Migrator);
  gauge('guichet_tenants_unavailable', 'Tenants that answer 503 because their tables do not fit this program.', async () => {
    const { tenants } = await migrator.status();
    return tenants.behind + tenants.newer;
  });
  const dispatcher = app.get(DispatcherService);
  gauge('guichet_outbox_oldest_seconds', 'Age of the oldest event that no worker handed on yet.', () => dispatcher.lagSeconds());
  const queue = app.get(JobQueueService);
  gauge('guichet_jobs_due_oldest_seconds', 'How long the job that waits longest is overdue.', () => queue.lagSeconds());

  const backups = app.get(BackupService);
  gauge('guichet_backup_age_seconds', 'Time since the last backup of the server; absent when there was none.', () =>
    backups.last().then((last) => last?.ageSeconds),
  );

  answerParserRefusals(app.getHttpServer(), logger);
  await app.init();
  return app;
}

/** Answers are data for programs: nothing may run, frame or embed them. The panel sets its own, wider policy. */
function securityHeaders(): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'frame-ancestors': ["'none'"],
        'base-uri': ["'none'"],
        'form-action': ["'none'"],
      },
    },
    crossOriginResourcePolicy: { policy: 'same-site' },
    // Other sub-domains of the operator's domain are not part of this service.
    strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: false },
    xFrameOptions: { action: 'deny' },
    // Only headers that current browsers use, because each one costs time at every scan.
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    referrerPolicy: { policy: 'no-referrer' },
  }) as RequestHandler;
}

/** Answers errors of the middleware here, before Nest converts them to its own exceptions. */
function refuse(logger: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => answerProblem(error, request, response, logger);
}

/** Nest logs only errors and warnings, as JSON lines like all others. */
function quietLogger(logger: Logger): LoggerService {
  const nothing = (): void => undefined;
  return {
    log: nothing,
    debug: nothing,
    verbose: nothing,
    warn: (message: unknown) => logger.warn(String(message)),
    error: (message: unknown, ...rest: unknown[]) => logger.error({ detail: rest.map(String).join(' ') }, String(message)),
  };
}
