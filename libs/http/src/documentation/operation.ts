import { applyDecorators, SetMetadata, type Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ApiBody, ApiIncludeEndpoint, ApiOperation } from '@nestjs/swagger';

/** Texts and problem codes of a route in the API document. */
export interface RouteDescription {
  readonly summary: string;
  readonly description: string;
  /** Problem codes of this route only. Codes of access, host and body are added automatically. */
  readonly problems?: readonly string[];
}

const descriptionKey = 'guichet:operation';
const optionalBodyKey = 'guichet:optional-body';

/**
 * Describes a route in the API document. Every route below `/api/`, `/scan/` and `/tenant/` needs a description (a test checks this).
 * Parameters, body and answers are described by decorators of `@nestjs/swagger` and by classes.
 */
export function Describe(description: RouteDescription): MethodDecorator {
  const { summary, description: text } = description;
  return applyDecorators(ApiIncludeEndpoint(), ApiOperation({ summary, description: text }), SetMetadata(descriptionKey, description));
}

/** The description of a route; undefined when the route is not in the API document. */
export function descriptionOf(handler: object): RouteDescription | undefined {
  return Reflect.getMetadata(descriptionKey, handler) as RouteDescription | undefined;
}

/** The route reads a body of this class; the body may be absent. */
export function OptionalBody(type: Type): MethodDecorator {
  return applyDecorators(ApiBody({ type, required: false }), SetMetadata(optionalBodyKey, true));
}

/** Whether a route reads a body. */
export function bodyOf(controller: object, handler: { readonly name: string }): 'none' | 'optional' | 'required' {
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler.name) ?? {}) as object;
  if (!Object.keys(parameters).some((key) => key.startsWith(`${RouteParamtypes.BODY}:`))) return 'none';
  return Reflect.getMetadata(optionalBodyKey, handler) === true ? 'optional' : 'required';
}
