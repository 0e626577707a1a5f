// Modular exponentiation: exports to the host, a function and addresses of memory.

export {
  BASE as base,
  EXPONENT as exponent,
  EXPONENT_BYTES as exponentBytes,
  MODULUS as modulus,
  ONE as one,
  POWER as power,
  raise,
} from "./powers";
