export default function TracePage() { return null }
