import { biBoard } from '#modules/walls/board/bi.board.ts'
import { contractsWall } from '#modules/walls/contracts/contracts.wall.ts'
import { batchWall, certificateWall, productWall } from '#modules/walls/goods/goods.wall.ts'
import { suppliersWall } from '#modules/walls/goods/suppliers.wall.ts'
import { moneyWall } from '#modules/walls/money/money.wall.ts'
import { departmentDetailWall, departmentsWall } from '#modules/walls/departments/departments.wall.ts'
import type { BoardDefinition } from '#kernel/wall/board-definition.ts'
import type { WallDefinition } from '#kernel/wall/wall-definition.ts'
import { overviewWall } from '#modules/walls/overview/overview.wall.ts'
import { processWall } from '#modules/walls/process/process.wall.ts'
import { warningDetailWall, warningsWall } from '#modules/walls/warnings/warnings.wall.ts'

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
