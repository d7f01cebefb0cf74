export function isAlive(pid: number): boolean
export function usersOf(dataRoot: string): { enter(): void; leave(): void; others(): string[] }
export function withLock<T>(dataRoot: string, work: () => Promise<T>, patienceMs?: number): Promise<T>
