import {
  applyDecorators,
  SetMetadata,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Response } from 'express';
import type { Observable } from 'rxjs';

const successorKey = 'guichet:successor';

/** Since when API version 1 is deprecated, in seconds since 1970. */
const since = Date.UTC(2026, 10, 1) / 1000;

/**
 * Marks a route of API version 1 that has a successor. It keeps working; its answers carry `Deprecation` (RFC 9745) and the successor's
 * path (RFC 8288, `successor-version`), and so does the API document.
 */
export function DeprecatedBy(path: string): MethodDecorator {
  return applyDecorators(SetMetadata(successorKey, path), UseInterceptors(new SuccessorHeadersInterceptor(path)));
}

/** The path of a route's successor; undefined when it has none. */
export function successorOf(handler: object): string | undefined {
  return Reflect.getMetadata(successorKey, handler) as string | undefined;
}

class SuccessorHeadersInterceptor implements NestInterceptor {
  constructor(private readonly path: string) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const response = context.switchToHttp().getResponse<Response>();
    response.set('Deprecation', `@${since}`).append('Link', `<${this.path}>; rel="successor-version"`);
    return next.handle();
  }
}
