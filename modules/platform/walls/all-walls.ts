import { biBoard } from '#modules/platform/walls/board/bi.board.ts'
import { contractsWall } from '#modules/platform/walls/contracts/contracts.wall.ts'
import { batchWall, certificateWall, productWall } from '#modules/platform/walls/goods/goods.wall.ts'
import { suppliersWall } from '#modules/platform/walls/goods/suppliers.wall.ts'
import { moneyWall } from '#modules/platform/walls/money/money.wall.ts'
import { departmentDetailWall, departmentsWall } from '#modules/platform/walls/departments/departments.wall.ts'
import type { BoardDefinition } from '#kernel/wall/board-definition.ts'
import type { WallDefinition } from '#kernel/wall/wall-definition.ts'
import { overviewWall } from '#modules/platform/walls/overview/overview.wall.ts'
import { processWall } from '#modules/platform/walls/process/process.wall.ts'
import { warningDetailWall, warningsWall } from '#modules/platform/walls/warnings/warnings.wall.ts'

/** Every wall, in the order of the entry page and of a carousel. */
export const walls: readonly WallDefinition[] = [
  overviewWall,
  processWall,
  contractsWall,
  moneyWall,
  productWall,
  batchWall,
  certificateWall,
  suppliersWall,
  departmentsWall,
  departmentDetailWall,
  warningsWall,
  warningDetailWall,
]

/** Every board. */
export const boards: readonly BoardDefinition[] = [biBoard]
