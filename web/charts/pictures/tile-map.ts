/**
 * The 34 divisions of province level as one square each, at their rough place: column from the west, row from the
 * north. It is a diagram of places and no map: it has no borders and no areas.
 */
export const tiles: Readonly<Record<string, readonly [column: number, row: number]>> = {
  黑龙江: [8, 0],
  内蒙古: [6, 1],
  吉林: [8, 1],
  新疆: [1, 2],
  甘肃: [3, 2],
  宁夏: [4, 2],
  山西: [5, 2],
  北京: [6, 2],
  天津: [7, 2],
  辽宁: [8, 2],
  青海: [2, 3],
  陕西: [4, 3],
  河南: [5, 3],
  河北: [6, 3],
  山东: [7, 3],
  西藏: [1, 4],
  四川: [3, 4],
  重庆: [4, 4],
  湖北: [5, 4],
  安徽: [6, 4],
  江苏: [7, 4],
  上海: [8, 4],
  云南: [3, 5],
  贵州: [4, 5],
  湖南: [5, 5],
  江西: [6, 5],
  浙江: [7, 5],
  广西: [4, 6],
  广东: [5, 6],
  福建: [6, 6],
  台湾: [7, 6],
  海南: [4, 7],
  澳门: [5, 7],
  香港: [6, 7],
}
export const COLUMNS = 9
export const ROWS = 8

/** The middle of a tile on axes that count from the south. */
export function middleOf(province: string): readonly [x: number, y: number] | null {
  const place = tiles[province]
  return place === undefined ? null : [place[0] + 0.5, ROWS - place[1] - 0.5]
}
