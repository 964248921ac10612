"""The mathematics under verify_dice.py: edwards25519, Ed25519 signatures and the VRF of RFC 9381.

Standard library only. Keep it beside verify_dice.py.
"""
import hashlib

# ---- The curve edwards25519 (RFC 8032), points as extended coordinates (X, Y, Z, T) --------------

P = 2**255 - 19
Q = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)
IDENTITY = (0, 1, 1, 0)


class Wrong(Exception):
    """What is wrong, beginning with the path of the field."""


def add(a, b):
    x1, y1, z1, t1 = a
    x2, y2, z2, t2 = b
    e1, e2 = (y1 - x1) * (y2 - x2) % P, (y1 + x1) * (y2 + x2) % P
    c, d = 2 * t1 * t2 * D % P, 2 * z1 * z2 % P
    e, f, g, h = e2 - e1, d - c, d + c, e2 + e1
    return e * f % P, g * h % P, f * g % P, e * h % P


def double(a):
    x, y, z, _ = a
    xx, yy, zz = x * x % P, y * y % P, 2 * z * z
    h = xx + yy
    e, g = h - (x + y) ** 2 % P, xx - yy
    f = zz + g
    return e * f % P, g * h % P, f * g % P, e * h % P


def negative(a):
    return -a[0] % P, a[1], a[2], -a[3] % P


def same(a, b):
    return (a[0] * b[2] - b[0] * a[2]) % P == 0 and (a[1] * b[2] - b[1] * a[2]) % P == 0


def multiply(*pairs):
    """The sum of scalar * point over the (scalar, point) pairs, all at once, four bits a step."""
    tables = []
    for _, point in pairs:
        table = [IDENTITY, point]
        for _ in range(14):
            table.append(add(table[-1], point))
        tables.append(table)
    out = IDENTITY
    for shift in range(252, -4, -4):
        if out is not IDENTITY:
            out = double(double(double(double(out))))
        for (scalar, _), table in zip(pairs, tables):
            digit = scalar >> shift & 15
            if digit:
                out = add(out, table[digit])
    return out


def encode(a):
    inverse = pow(a[2], P - 2, P)
    x, y = a[0] * inverse % P, a[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def decode(data):
    """The point, or None: y must be below p, and the sign of x = 0 must be 0 (RFC 8032 5.1.3)."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    if y >= P:
        return None
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    if (v * x * x - u) % P:
        x = x * ROOT_OF_MINUS_ONE % P
        if (v * x * x - u) % P:
            return None
    if x == 0 and sign:
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


def decode_strong(data):
    """As decode, but None also for points outside the prime-order subgroup and for the identity."""
    point = decode(data)
    if point is None or same(point, IDENTITY) or not same(multiply((Q, point)), IDENTITY):
        return None
    return point


BASE = decode((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def sha512_number(*parts):
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little")


def signature_holds(key, key_point, digest, signature):
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    if s >= Q:
        return False
    k = sha512_number(r, key, digest) % Q
    found = multiply((s, BASE), (k, negative(key_point)))
    return encode(found) == r and not same(found, IDENTITY)


# ---- ECVRF-EDWARDS25519-SHA512-TAI (RFC 9381, suite 3) -------------------------------------------

SUITE = b"\x03"


def vrf_hash_to_point(key, alpha):
    for counter in range(256):
        tried = hashlib.sha512(SUITE + b"\x01" + key + alpha + bytes([counter, 0])).digest()[:32]
        point = decode(tried)
        if point is not None:
            point = double(double(double(point)))
            if not same(point, IDENTITY):
                return point
    raise Wrong("alpha: hashes to no point")


def vrf_challenge(*encoded):
    return hashlib.sha512(SUITE + b"\x02" + b"".join(encoded) + b"\x00").digest()[:16]


def vrf_output(gamma):
    cleared = encode(double(double(double(gamma))))
    return hashlib.sha512(SUITE + b"\x03" + cleared + b"\x00").digest()


def vrf_verify(key, key_point, alpha, pi):
    """beta, the 64 bytes everything else is derived from."""
    gamma = decode_strong(pi[:32])
    if gamma is None:
        raise Wrong("pi: Gamma is not a point of prime order")
    c, s = int.from_bytes(pi[32:48], "little"), int.from_bytes(pi[48:], "little")
    if s >= Q or s == 0 or c == 0:
        raise Wrong("pi: c or s out of range")
    h = vrf_hash_to_point(key, alpha)
    u = multiply((s, BASE), (c, negative(key_point)))
    v = multiply((s, h), (c, negative(gamma)))
    if vrf_challenge(key, encode(h), pi[:32], encode(u), encode(v)) != pi[32:48]:
        raise Wrong("pi: does not prove this input under this key")
    return vrf_output(gamma)
