import { Catch, HttpException, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { kernelProblem as problem, LOGGER, type Logger } from '#kernel';
import { answerProblem } from './problem-answer.js';

/** The only exception filter: answers every error inside Nest as a problem. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    answerProblem(translate(error, request), request, http.getResponse<Response>(), this.logger);
  }
}

/** Nest throws a 404 when no route matches; the router knows which other methods the path has. */
function translate(error: unknown, request: Request): unknown {
  if (!(error instanceof HttpException)) return error;
  if (error.getStatus() === 404) {
    const allowed = allowedMethods(request);
    if (allowed.length === 0) return problem('route.unknown');
    const list = allowed.join(', ');
    return problem('route.method', { parameters: { allowed: list }, headers: { Allow: list } });
  }
  return error.getStatus() < 500 ? problem('request.malformed') : error;
}

interface RouterLayer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

function allowedMethods(request: Request): string[] {
  const stack = (request.app as unknown as { router?: { stack: RouterLayer[] } }).router?.stack ?? [];
  const methods = new Set<string>();
  for (const layer of stack) {
    if (!layer.route || !layer.match(request.path)) continue;
    for (const [method, served] of Object.entries(layer.route.methods)) {
      if (served && method !== '_all') methods.add(method.toUpperCase());
    }
  }
  if (methods.has('GET')) methods.add('HEAD');
  return methods.has(request.method) ? [] : [...methods].toSorted();
}
