#pragma once

// M = L' D L without fill-in, L unit lower triangular with the tree's own sparsity
// (Featherstone 2008, 6.5). Rows run contiguously along the ancestor chain, so every inner loop
// is a plain run of memory.

#include "espalier/dynamics/tree/workspace.h"

namespace espalier {

/// In place: ws.H becomes L (its diagonal slots keep D), ws.Dinv = 1 / D.
///   pre  ws.H holds M (or M + a positive diagonal)
///   post a singular M gives a Dinv that is not finite and positive
template <class T>
void factor(const Topology& t, Workspace<T>& ws);

/// x <- M^-1 x
template <class T>
void solve(const Topology& t, const Workspace<T>& ws, T* x);

/// The two halves of a solve: x <- L'^-1 x, then x <- L^-1 D^-1 x.
template <class T>
void solveTransposed(const Topology& t, const Workspace<T>& ws, T* x);
template <class T>
void solveForward(const Topology& t, const Workspace<T>& ws, T* x);

/// Dense M^-1, row-major [nv][nv].
template <class T>
void inverse(const Topology& t, const Workspace<T>& ws, T* dense);

}  // namespace espalier
