export function buildWeb(root: string, signal?: AbortSignal): Promise<void>
