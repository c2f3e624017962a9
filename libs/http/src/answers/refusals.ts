import { applyDecorators, SetMetadata, UseInterceptors } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import { catchError, throwError, type Observable } from 'rxjs';
import { kernelProblem, RefusedInput, UnknownIds, type BodyFault, type Problem } from '#kernel';

/** JSON pointer in the body for a service's `field`, or for an unknown id; undefined: `/field`. */
export type Pointers = (field: string) => string | undefined;

type ErrorClass<Refusal extends Error> = abstract new (...args: never[]) => Refusal;
type ToProblem<Refusal extends Error> = (refusal: Refusal, faults: () => BodyFault[]) => Problem;

const problems: { readonly type: ErrorClass<Error>; readonly toProblem: ToProblem<Error> }[] = [];

/**
 * Declares which problem answers a service's error on routes of `@MapsRefusals`. Other errors are answered with 400 `body.invalid` and
 * pointers.
 */
export function refusalProblem<Refusal extends Error>(type: ErrorClass<Refusal>, toProblem: ToProblem<Refusal>): void {
  problems.push({ type, toProblem: toProblem as ToProblem<Error> });
}

const bodyPointersKey = 'guichet:body-pointers';

type PointersOfBody = (body: never, params: Readonly<Record<string, string>>) => Pointers;

/** Pointers of a route that depend on its body; they take precedence over the controller's. */
export function BodyPointers(pointersOf: PointersOfBody): MethodDecorator {
  return SetMetadata(bodyPointersKey, pointersOf);
}

/**
 * Answers errors of services in this controller as problems with pointers into the body, all errors at once.
 * @param pointers for all its routes
 */
export function MapsRefusals(pointers: Pointers | Readonly<Record<string, string>>): ClassDecorator {
  const pointerOf = typeof pointers === 'function' ? pointers : (field: string): string | undefined => pointers[field];
  return applyDecorators(UseInterceptors(new RefusalsInterceptor(pointerOf)));
}

class RefusalsInterceptor implements NestInterceptor {
  constructor(private readonly pointers: Pointers) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    return next.handle().pipe(catchError((error: unknown) => throwError(() => this.mapped(error, context))));
  }

  private mapped(error: unknown, context: ExecutionContext): unknown {
    const faults = (): BodyFault[] => faultsOf(error as RefusedInput, this.pointersFor(context));
    const known = problems.find(({ type }) => error instanceof type);
    if (known) return known.toProblem(error as Error, faults);
    return error instanceof RefusedInput ? kernelProblem('body.invalid', { errors: faults() }) : error;
  }

  private pointersFor(context: ExecutionContext): Pointers {
    const request = context.switchToHttp().getRequest<Request>();
    const pointersOf = Reflect.getMetadata(bodyPointersKey, context.getHandler()) as PointersOfBody | undefined;
    const own = pointersOf?.(request.body as never, request.params as Readonly<Record<string, string>>);
    return (field) => own?.(field) ?? this.pointers(field);
  }
}

function faultsOf(error: RefusedInput, pointerOf: Pointers): BodyFault[] {
  return error.faults.flatMap((refusal) =>
    pointersOf(refusal, pointerOf).map((pointer) => ({ pointer, code: refusal.code, detail: refusal.message })),
  );
}

function pointersOf(refusal: RefusedInput, pointerOf: Pointers): string[] {
  const at = pointerOf(refusal.field) ?? `/${refusal.field}`;
  return refusal instanceof UnknownIds ? refusal.ids.map((id) => pointerOf(id) ?? at) : [at];
}
