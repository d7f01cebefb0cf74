import type { AnyEntity } from '#kernel/entity.ts'
export default function EntityPage({ definition }: { definition: AnyEntity }) { return <>{definition.title}</> }
