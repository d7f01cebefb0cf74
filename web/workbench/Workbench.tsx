export default function Workbench() { return null }
