import type { ModuleHooks } from '#server/public/hooks.ts'
import { countTool, documentTool, dutyTool } from '#modules/platform/assistant/documents.server.ts'
import { expiryTool, lotTool, shortTool, stockTool } from '#modules/platform/assistant/goods.server.ts'
import { limitTool } from '#modules/platform/assistant/limits.server.ts'
import { balanceFigures, balanceTool } from '#modules/platform/assistant/money.server.ts'
import { lackingTool, lotInOperationsTool } from '#modules/platform/assistant/theatre.server.ts'

export const assistantHooks: ModuleHooks = {
  figurePlaces: [balanceFigures],
  assistantTools: [
    lackingTool,
    lotInOperationsTool,
    documentTool,
    lotTool,
    expiryTool,
    limitTool,
    shortTool,
    balanceTool,
    dutyTool,
    countTool,
    stockTool,
  ],
}
