import { applyDecorators, SetMetadata, type Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ApiBody, ApiIncludeEndpoint, ApiOperation } from '@nestjs/swagger';

/** What the API document says of a route beside what its decorators and classes say. */
export interface RouteDescription {
  readonly summary: string;
  readonly description: string;
  /** Codes of problems that are this route's own; those of access, host and body follow from the code. */
  readonly problems?: readonly string[];
}

const descriptionKey = 'guichet:operation';
const optionalBodyKey = 'guichet:optional-body';

/**
 * Describes a route for the API document. Every route below `/api/`, `/scan/` and `/tenant/` has one (a test looks). Its parameters, body
 * and answers are described by the decorators of `@nestjs/swagger` and by the classes that they name.
 */
export function Describe(description: RouteDescription): MethodDecorator {
  const { summary, description: text } = description;
  return applyDecorators(ApiIncludeEndpoint(), ApiOperation({ summary, description: text }), SetMetadata(descriptionKey, description));
}

/** What was said of a route; undefined when it is not in the API document. */
export function descriptionOf(handler: object): RouteDescription | undefined {
  return Reflect.getMetadata(descriptionKey, handler) as RouteDescription | undefined;
}

/** The route reads a body of this class, and may be called without one. */
export function OptionalBody(type: Type): MethodDecorator {
  return applyDecorators(ApiBody({ type, required: false }), SetMetadata(optionalBodyKey, true));
}

/** Whether a route reads a body. */
export function bodyOf(controller: object, handler: { readonly name: string }): 'none' | 'optional' | 'required' {
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler.name) ?? {}) as object;
  if (!Object.keys(parameters).some((key) => key.startsWith(`${RouteParamtypes.BODY}:`))) return 'none';
  return Reflect.getMetadata(optionalBodyKey, handler) === true ? 'optional' : 'required';
}
