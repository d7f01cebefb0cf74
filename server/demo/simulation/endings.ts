import type { World } from '#server/demo/simulation/world.ts'
export function planEndings(_world: World): void {}
