import type { INestApplication, Type } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import type { JsonSchema } from '#http';
import { tidiedSchemas, tidy } from './schemas.js';

/** An operation as `@nestjs/swagger` describes it. */
export interface NestOperation {
  readonly tags?: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly JsonSchema[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
  readonly responses: Readonly<Record<string, JsonSchema>>;
}

export interface NestDocument {
  /** By `operationId`. */
  readonly operations: ReadonlyMap<string, NestOperation>;
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

/**
 * The operations and schemas that `@nestjs/swagger` finds in controllers and classes.
 * @param models classes that no route refers to
 */
export function nestDocument(app: INestApplication, models: readonly Type[]): NestDocument {
  const config = new DocumentBuilder().setOpenAPIVersion('3.1.0').build();
  const { paths, components } = SwaggerModule.createDocument(app, config, {
    operationIdFactory: (controller, method) => operationId(`${controller}.${method}`),
    autoTagControllers: false,
    onlyIncludeDecoratedEndpoints: true,
    extraModels: [...models],
  }) as unknown as { paths: Record<string, Record<string, NestOperation & { operationId: string }>>; components: { schemas: object } };
  const operations = Object.values(paths).flatMap((item) =>
    Object.values(item).map((one) => [one.operationId, withTidySchemas(one)] as const),
  );
  return { operations: new Map(operations), schemas: tidiedSchemas(components.schemas as Record<string, JsonSchema>) };
}

/** The operation id for generated clients: `SemanticEvents.list`. @param name `Controller.method` */
export function operationId(name: string): string {
  return name.replace('Controller', '');
}

/** Tidies all schemas below `node`. */
function withTidySchemas<Node>(node: Node): Node {
  if (Array.isArray(node)) return node.map(withTidySchemas) as Node;
  if (typeof node !== 'object' || node === null) return node;
  const members = Object.entries(node).map(([name, value]) => {
    if (name === 'schema') return [name, tidy(value as JsonSchema)];
    return [name, name === 'example' || name === 'examples' ? (value as unknown) : withTidySchemas(value as unknown)];
  });
  return Object.fromEntries(members) as Node;
}
