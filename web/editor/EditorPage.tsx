import type { AnyDocument } from '#kernel/document.ts'
export default function EditorPage({ definition }: { definition: AnyDocument }) { return <>{definition.title}</> }
