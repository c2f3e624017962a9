import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { bodyOf, descriptionOf } from '../documentation/operation.js';
import { formTypeOf, hasBody } from './http-body.js';
import { isObject } from '#kernel';
import { notAnObject, unknownMembers } from './validation.js';

/**
 * Refuses a body that its route would ignore (400 `body.invalid` with the members), and a missing body of a PATCH. The decorators of the
 * route define whether it reads a body. Other methods need no check for a missing body, because their DTOs report the missing members. Runs
 * after the guards, so that unauthorised callers learn nothing about the route.
 */
export class ExpectedBodyInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    // A form is not read yet. Routes that accept no forms have refused it already.
    if (!descriptionOf(context.getHandler()) || formTypeOf(request) !== undefined) return next.handle();
    const body: unknown = request.body;
    const expected = bodyOf(context.getClass(), context.getHandler());
    // The body of a GET has no meaning in HTTP; some clients send one with every request.
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (expected === 'none' && body !== undefined && !reads) {
      if (!isObject(body)) throw notAnObject();
      const names = Object.keys(body);
      if (names.length > 0) throw unknownMembers(names);
    }
    if (expected === 'required' && !hasBody(request) && request.method === 'PATCH') throw notAnObject();
    return next.handle();
  }
}
