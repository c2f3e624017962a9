import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { isObject, kernelProblem as problem } from '#kernel';
import { bodyOf, descriptionOf } from '../documentation/operation.js';
import { takesForm } from './http-form.js';
import { formTypeOf, hasBody } from '../request/http-body.js';
import { notAnObject, unknownMembers } from '../request/validation.js';

/**
 * The last guard, so that unauthorised callers learn nothing about a route. Refuses forms, unread, on every route without `@TakesForm`
 * (415 `body.unsupported_type`), a body that its route would ignore (400 `body.invalid` with the members), and a missing body of a PATCH.
 * The decorators of the route define whether it reads a body. Other methods need no check for a missing body, because their DTOs report the
 * missing members.
 */
export class BodyGuard implements CanActivate {
  private readonly expected = new WeakMap<object, ReturnType<typeof bodyOf> | 'any'>();

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    request.handler = context.getHandler();
    // Forms are read later.
    if (formTypeOf(request) !== undefined) {
      if (takesForm(context.getHandler())) return true;
      throw problem('body.unsupported_type');
    }
    const body: unknown = request.body;
    const expected = this.expectedBy(context);
    // The body of a GET has no meaning in HTTP; some clients send one with every request.
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (expected === 'none' && body !== undefined && !reads) {
      if (!isObject(body)) throw notAnObject();
      const names = Object.keys(body);
      if (names.length > 0) throw unknownMembers(names);
    }
    if (expected === 'required' && !hasBody(request) && request.method === 'PATCH') throw notAnObject();
    return true;
  }

  /** What the route expects; `any` for routes without a description. Kept, because reading decorators takes time. */
  private expectedBy(context: ExecutionContext): ReturnType<typeof bodyOf> | 'any' {
    const handler = context.getHandler();
    let expected = this.expected.get(handler);
    if (expected === undefined) {
      expected = descriptionOf(handler) ? bodyOf(context.getClass(), handler) : 'any';
      this.expected.set(handler, expected);
    }
    return expected;
  }
}
